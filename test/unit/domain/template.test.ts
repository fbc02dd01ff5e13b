import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { referenceOf } from '../../../functions/domain/action.ts';
import {
  checkTemplate,
  PLACEHOLDERS,
  renderHtml,
  renderLine,
  renderMailbox,
  renderText,
  showsReference,
  UnknownPlaceholder,
} from '../../../functions/domain/template.ts';

const LEAD = { leadRequestId: 'inq-1', email: 'jo@customer.example', firstName: 'Jo', lastName: 'Lind' };
const OWNER = { name: 'Ada Park', email: 'ada@sales.example' };
const values = (lead: object = {}, owner: object = {}) => ({
  lead: { ...LEAD, ...lead },
  owner: { ...OWNER, ...owner },
  reference: 'web/inq-1',
});

describe('placeholders', () => {
  test('the reference names the handoff, and the replacement where a person decided on one', () => {
    expect(renderText('Reference: {{reference}}', values())).toBe('Reference: web/inq-1');
    expect(referenceOf('web/inq-1/send-introduction')).toBe('web/inq-1');
    expect(referenceOf('web/inq-1/send-introduction/r2')).toBe('web/inq-1/r2');
  });

  test('are filled from the lead and the owner, with or without blanks', () => {
    expect(renderText('{{lead.firstName}} {{ owner.name }} <{{owner.email}}>', values())).toBe(
      'Jo Ada Park <ada@sales.example>',
    );
  });

  test('that the lead did not give are empty, or what the template says instead', () => {
    const lead = { firstName: undefined };

    expect(renderText('Hello {{lead.firstName}}!', values(lead))).toBe('Hello !');
    expect(renderText('Hello {{lead.firstName|there}}!', values(lead))).toBe('Hello there!');
    expect(renderText('Hello {{lead.firstName|there}}!', values())).toBe('Hello Jo!');
  });

  test('the full name falls back to what there is', () => {
    expect(renderText('{{lead.fullName}}', values())).toBe('Jo Lind');
    expect(renderText('{{lead.fullName}}', values({ firstName: undefined }))).toBe('Lind');
    expect(renderText('{{lead.fullName}}', values({ firstName: undefined, lastName: undefined }))).toBe(
      'jo@customer.example',
    );
  });

  test('in what a lead wrote are words, and stay as they are', () => {
    const lead = { firstName: '{{owner.email}}', lastName: '{{lead.email}}' };

    expect(renderText('{{lead.fullName}}', values(lead))).toBe('{{owner.email}} {{lead.email}}');
    expect(renderHtml('{{lead.firstName}}', values(lead))).toBe('{{owner.email}}');
  });

  test('$ in what a lead wrote is a $', () => {
    expect(renderText('{{lead.firstName}}', values({ firstName: "$& $1 $' $$" }))).toBe("$& $1 $' $$");
  });
});

describe('a template is checked when the route is defined', () => {
  test('every known placeholder passes', () => {
    for (const name of PLACEHOLDERS) expect(() => checkTemplate(`{{${name}|x}}`)).not.toThrow();
  });

  test.each([
    ['{{lead.name}}', '{{lead.name}} is not a placeholder'],
    ['{{lead.ownerId}}', '{{lead.ownerId}} is not a placeholder'],
    ['{{constructor}}', '{{constructor}} is not a placeholder'],
    ['{{lead first}}', '{{lead first}} is not a placeholder'],
    ['{{lead-name}}', '{{lead-name}} is not a placeholder'],
    ['Hello {{lead.firstName', '{{lead.firstName}} is not a placeholder'],
    ['{{}}', '{{}} is not a placeholder'],
    ['{{ lead name }}', '{{lead name}} is not a placeholder'],
    ['{{ {{lead.email}}', '{{}} is not a placeholder'],
    [
      '{{a placeholder that nobody closed, so that all that follows seems to be its name',
      '{{a placeholder that nobody closed, so tha}} is not a placeholder',
    ],
  ])('%s does not', (template, message) => {
    expect(() => checkTemplate(template)).toThrow(UnknownPlaceholder);
    expect(() => checkTemplate(template)).toThrow(message);
  });

  test('what does not is named, with what there is', () => {
    expect(() => checkTemplate('Hello {{lead.name}}')).toThrow(
      expect.objectContaining({
        name: 'UnknownPlaceholder',
        message:
          '{{lead.name}} is not a placeholder; use one of lead.email, lead.firstName, lead.lastName, lead.company, lead.phone, lead.message, lead.country, lead.language, lead.sourceReference, lead.fullName, owner.name, owner.email, reference.',
      }),
    );
  });

  test('whether it shows the reference is asked of its placeholders', () => {
    expect(showsReference('{{lead.firstName}}, see {{ reference }}')).toBe(true);
    expect(showsReference('{{lead.firstName}}, see reference')).toBe(false);
    expect(showsReference('')).toBe(false);
  });

  test('and one that was not checked is not filled', () => {
    expect(() => renderText('Hello {{lead.name}}', values())).toThrow(UnknownPlaceholder);
  });
});

describe('HTML', () => {
  test('nothing that a lead wrote becomes markup', () => {
    const lead = { message: `<script src="x">'&'</script>\n<a href='y'>` };

    expect(renderHtml('<p title="{{lead.message}}">', values(lead))).toBe(
      '<p title="&lt;script src=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/script&gt;<br>&lt;a href=&#39;y&#39;&gt;">',
    );
  });

  test('an owner is escaped as well', () => {
    expect(renderHtml('{{owner.name}}', values({}, { name: 'A & B <c>' }))).toBe('A &amp; B &lt;c&gt;');
  });

  test('of no text does a value open a tag or leave an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (message) => {
        const rendered = renderHtml('{{lead.message}}', values({ message })).replaceAll('<br>', '');
        expect(rendered).not.toMatch(/[<>"']/);
      }),
    );
  });
});

describe('a header', () => {
  test('has one line, whatever a lead wrote', () => {
    const lead = { firstName: 'Jo\r\nBcc: all@customer.example\u2028x\u0000' };

    expect(renderLine('Hello {{lead.firstName}}', values(lead))).toBe('Hello Jo Bcc: all@customer.example x');
  });

  test('never holds a control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (firstName) => {
        expect(renderLine('{{lead.firstName}}', values({ firstName }))).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });
});

describe('a mailbox', () => {
  const from = (name: string) => renderMailbox('{{owner.name}} <{{owner.email}}>', values({}, { name }));

  test.each([
    ['Ada Park', 'Ada Park <ada@sales.example>'],
    ['Zoë Núñez', 'Zoë Núñez <ada@sales.example>'],
    ["Pat O'Hara", "Pat O'Hara <ada@sales.example>"],
    ['Park, Ada', '"Park, Ada" <ada@sales.example>'],
    ['Dr. Park', '"Dr. Park" <ada@sales.example>'],
    ['Ada (Sales)', '"Ada (Sales)" <ada@sales.example>'],
    ['a@b.example', '"a@b.example" <ada@sales.example>'],
    ['Ada "A" Park\\', '"Ada A Park" <ada@sales.example>'],
    ['Eve <eve@evil.example>,', '"Eve <eve@evil.example>," <ada@sales.example>'],
    ['', 'ada@sales.example'],
    ['  ', 'ada@sales.example'],
    ['Ada\r\nBcc: x@y.example', '"Ada Bcc: x@y.example" <ada@sales.example>'],
  ])('of %j', (name, expected) => {
    expect(from(name)).toBe(expected);
  });

  test('without a name is the address', () => {
    expect(renderMailbox('{{owner.email}}', values())).toBe('ada@sales.example');
  });
});
