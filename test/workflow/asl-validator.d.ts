/** The package ships no types. */
declare module 'asl-validator' {
  export default function validate(
    definition: object,
    options?: { checkPaths?: boolean; checkArn?: boolean },
  ): { isValid: boolean; errors: object[] };
}
