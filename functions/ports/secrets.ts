/**
 * The secrets by which a sender may sign, the current one first; none where there is no such secret. Throws `SecretUnavailable`.
 */
export type SigningSecrets = (secretName: string) => Promise<readonly string[]>;
