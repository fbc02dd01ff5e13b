import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openApiDocument, openApiText } from '../../../docs/openapi.ts';
import { LEAD_REQUEST_FIELDS, parseLeadRequest } from '../../../functions/domain/lead-request.ts';

interface Document {
  readonly paths: {
    readonly '/routes/{route}/leads': {
      readonly post: {
        readonly requestBody: { readonly content: Record<string, { readonly example: unknown }> };
        readonly responses: Record<string, unknown>;
      };
    };
  };
  readonly components: {
    readonly schemas: Record<
      string,
      { readonly properties: Record<string, { readonly description?: string }> }
    >;
  };
}

const { paths, components } = openApiDocument() as Document;
const { post } = paths['/routes/{route}/leads'];

test('docs/openapi.json is what the code prints', () => {
  const text = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
  expect(text, 'run `npm run docs`').toBe(openApiText());
});

test('it has every field of a lead request, and says what it is', () => {
  const fields = components.schemas.LeadRequest?.properties ?? {};
  expect(Object.keys(fields)).toEqual([...LEAD_REQUEST_FIELDS]);
  for (const { description } of Object.values(fields)) expect(description).toMatch(/\.$/);
  expect(fields.email).toMatchObject({ format: 'email', maxLength: 254 });
  expect(fields.email).not.toHaveProperty('pattern');
});

test('it has every answer, and an example that is accepted', () => {
  expect(Object.keys(post.responses)).toEqual(['202', '400', '401', '409', '413', '415', '429', '503']);
  expect(() => parseLeadRequest(post.requestBody.content['application/json']?.example)).not.toThrow();
});
