/** What is used of cli-progress, which brings no types along. */
declare module 'cli-progress' {
  interface Options {
    readonly stream?: NodeJS.WritableStream;
    /** Names in braces are replaced; `{bar}` is the bar. */
    readonly format?: string;
    readonly barsize?: number;
    /** How many of the last updates the time that is left is computed from. */
    readonly etaBuffer?: number;
    readonly clearOnComplete?: boolean;
  }
  export class SingleBar {
    constructor(options: Options);
    start(total: number, value: number): void;
    update(value: number): void;
    stop(): void;
  }
}
