import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BrokenJson, elementLines } from '../../../cli/leads/json-lines.ts';

it('knows the line of every element', () => {
  expect(elementLines('[\n {"a": [1,\n 2]}, {},\n\n "x\\"]",\n -1.5e3\n]')).toEqual([2, 3, 5, 6]);
  expect(elementLines('\n\n{"a":\n{}}')).toEqual([3]);
  expect(elementLines(' []')).toEqual([]);
});

it.each([
  ['[\n{"a":1}\n{"b":2}]', 3, 1],
  ['{\n"a":\n}', 3, 1],
  ['[1,\n2,\n]', 3, 1],
  ['{"a": 1}\n  {"b": 2}', 2, 3],
  ['[\n{"a": "b}\n]', 2, 7],
  ['[\n"never closed",\n1\n', 3, 2],
  ['{"a": tru}', 1, 7],
  ['{"a": 01}', 1, 7],
  ['[\n  {"a": 1,},\n]', 2, 11],
  ['', 1, 1],
])('knows where %j stops being JSON', (text, line, column) => {
  const broken = () => elementLines(text);
  expect(broken).toThrow(BrokenJson);
  expect(broken).toThrow(`line ${line}, column ${column}: this is not JSON.`);
});

it('takes what JSON.parse takes, with as many elements', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 2), (value, indent) => {
      const lines = elementLines(JSON.stringify(value, null, indent));
      expect(lines).toHaveLength(Array.isArray(value) ? value.length : 1);
      expect(lines).toEqual([...lines].sort((a, b) => a - b));
    }),
  );
});

it('refuses what JSON.parse refuses', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', ']', ':', 'x'),
      (value, at, put) => {
        const whole = JSON.stringify([value]);
        const cut = at % whole.length;
        const text = whole.slice(0, cut) + put + whole.slice(cut + 1);
        expect(parses(() => elementLines(text))).toBe(parses(() => JSON.parse(text)));
      },
    ),
  );
});

function parses(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}
