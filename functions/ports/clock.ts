/** Epoch milliseconds. */
export type Clock = () => number;

/** A new unique id at every call. */
export type Ids = () => string;

/** A number in [0, 1). */
export type Random = () => number;
