/** The rule's pattern uses an operator that the engine does not know. */
export class UnknownPatternOperator extends Error {
  override readonly name = 'UnknownPatternOperator';

  constructor(operator: string) {
    super(`The embedded engine does not know the event pattern operator ${operator}.`);
  }
}

const OPERATORS = new Set(['anything-but', 'equals-ignore-case', 'exists', 'prefix', 'suffix']);

/** @throws UnknownPatternOperator */
export function checkPattern(pattern: unknown): void {
  for (const [key, expected] of Object.entries(isRecord(pattern) ? pattern : {})) {
    if (key.startsWith('$')) throw new UnknownPatternOperator(key);
    if (!Array.isArray(expected)) checkPattern(expected);
    else expected.filter(isRecord).forEach(checkMatcher);
  }
}

function checkMatcher(matcher: Record<string, unknown>): void {
  for (const [operator, operand] of Object.entries(matcher)) {
    if (!OPERATORS.has(operator)) throw new UnknownPatternOperator(operator);
    if (operator === 'anything-but' && isRecord(operand)) checkMatcher(operand);
  }
}

type Matcher = string | number | boolean | null | Record<string, unknown>;

/**
 * Whether an event fits an EventBridge pattern: exact values, `prefix`, `suffix`, `exists`, `anything-but` and
 * `equals-ignore-case`.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 * @throws UnknownPatternOperator; `checkPattern` finds it without an event
 */
export function matchesPattern(pattern: Record<string, unknown>, event: unknown): boolean {
  return Object.entries(pattern).every(([key, expected]) => {
    const actual = isRecord(event) ? event[key] : undefined;
    if (!Array.isArray(expected)) return isRecord(expected) && matchesPattern(expected, actual);
    const candidates = Array.isArray(actual) ? actual : [actual];
    return (expected as Matcher[]).some((matcher) => candidates.some((each) => matchesValue(matcher, each)));
  });
}

function matchesValue(matcher: Matcher, actual: unknown): boolean {
  if (!isRecord(matcher)) return actual === matcher;
  const [[operator, operand] = ['', undefined]] = Object.entries(matcher);
  switch (operator) {
    case 'exists':
      return (actual !== undefined) === operand;
    case 'prefix':
      return typeof actual === 'string' && actual.startsWith(String(operand));
    case 'suffix':
      return typeof actual === 'string' && actual.endsWith(String(operand));
    case 'equals-ignore-case':
      return typeof actual === 'string' && actual.toLowerCase() === String(operand).toLowerCase();
    case 'anything-but':
      return actual !== undefined && !anyOf(operand).some((each) => matchesValue(each, actual));
    default:
      throw new UnknownPatternOperator(operator);
  }
}

function anyOf(operand: unknown): Matcher[] {
  return (Array.isArray(operand) ? operand : [operand]) as Matcher[];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
