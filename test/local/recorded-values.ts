import { isObject, type Json } from '../../local/interpreter/json.ts';

const PLACEHOLDER =
  /<(?:(?:uuid|task-token|message-id|md5|json-input)-\d+|timestamp|request-id|task-token|execution-name|state-machine-name|role-arn)>/g;
const UNNUMBERED = ['<timestamp>', '<request-id>', '<task-token>'];
const IGNORED_KEYS = ['SdkHttpMetadata', 'SdkResponseMetadata'];

/**
 * Compares values with recorded ones, in which placeholders stand for texts that differ from run to run.
 * A numbered placeholder stands for the same text everywhere in one recording.
 */
export class RecordedValues {
  readonly #texts = new Map<string, string>();

  /** The actual value with every text that the recording's placeholder allows replaced by the placeholder. */
  align(expected: Json | undefined, actual: Json | undefined): Json | undefined {
    if (typeof expected === 'string' && typeof actual === 'string') return this.#alignText(expected, actual);
    if (Array.isArray(expected) && Array.isArray(actual)) {
      return actual.map((value, index) => this.align(expected[index], value) as Json);
    }
    if (isObject(expected) && typeof actual === 'string') return this.align(expected, parsed(actual));
    if (!isObject(expected) || !isObject(actual)) return actual;
    const kept = Object.entries(actual).filter(([key]) => !IGNORED_KEYS.includes(key));
    return Object.fromEntries(kept.map(([key, value]) => [key, this.align(expected[key], value) as Json]));
  }

  #alignText(expected: string, actual: string): string {
    const placeholders = expected.match(PLACEHOLDER);
    if (!placeholders) return actual;
    const pattern = expected.split(PLACEHOLDER).map(escaped).join('(.+)');
    const found = new RegExp(`^${pattern}$`, 's').exec(actual)?.slice(1);
    const same = found?.every((text, index) => this.#remember(placeholders[index] as string, text));
    return same ? expected : actual;
  }

  #remember(placeholder: string, text: string): boolean {
    if (UNNUMBERED.includes(placeholder)) return true;
    const known = this.#texts.get(placeholder) ?? text;
    this.#texts.set(placeholder, known);
    return known === text;
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
