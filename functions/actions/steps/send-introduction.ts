import { referenceOf } from '../../domain/action.ts';
import { Held, OwnerUnknown } from '../../domain/errors.ts';
import type { RouteSettings } from '../../domain/route.ts';
import {
  renderHtml,
  renderLine,
  renderMailbox,
  renderText,
  type TemplateValues,
} from '../../domain/template.ts';
import type { ContactReader } from '../../ports/contacts.ts';
import type { EmailSender } from '../../ports/emails.ts';
import { type ActionSteps, afterReading, contactToFreeze } from './steps.ts';

export interface SendIntroductionPorts {
  readonly reader: ContactReader;
  readonly sender: EmailSender;
  readonly route: Pick<RouteSettings, 'introduction'>;
}

/**
 * The introduction is frozen in the name of the owner that the CRM shows right before, and goes out only while that owner still
 * is the owner and the person has not opted out: both are read again between the claim and the send.
 */
export function sendIntroductionSteps({
  reader,
  sender,
  route,
}: SendIntroductionPorts): ActionSteps<'send-introduction'> {
  return {
    async freeze(input) {
      const { handoff, contactId } = input;
      const contact = await contactToFreeze(reader, input);
      const another = input.assignedOwnerId !== null && contact?.ownerId !== input.assignedOwnerId;
      if (another && input.readsMayLag) throw new Held('owner-not-visible');
      // A contact that nobody owns introduces nobody, whoever was chosen for it.
      const ownerId = contact ? contact.ownerId : handoff.ownerId;
      const owner = ownerId === null ? null : await reader.findOwner(ownerId);
      if (ownerId === null || owner === null) throw new OwnerUnknown();
      const reference = referenceOf(input.identity);
      const message = introduction(route.introduction, { lead: handoff.lead, owner, reference });
      return {
        contactId: contact?.id ?? contactId ?? '',
        ownerId,
        templateVersion: route.introduction.templateVersion,
        message,
        wire: sender.encode(message),
      };
    },
    perform: ({ body }, call) =>
      afterReading(
        () => reader.findById(body.contactId),
        (contact) => {
          if (contact === null) return { outcome: 'refused', reason: 'contact-deleted' };
          if (contact.archived) return { outcome: 'refused', reason: 'contact-archived' };
          if (contact.optedOut) return { outcome: 'refused', reason: 'opted-out' };
          if (contact.ownerId !== body.ownerId) {
            return { outcome: 'not-applied', reason: 'owner-changed', requestLeft: false };
          }
          return sender.send(body.wire, call);
        },
      ),
  };
}

function introduction(template: RouteSettings['introduction'], values: TemplateValues) {
  return {
    from: renderMailbox(template.from, values),
    replyTo: renderMailbox(template.replyTo, values),
    to: values.lead.email,
    subject: renderLine(template.subject, values),
    text: renderText(template.text, values),
    html: renderHtml(template.html, values),
  };
}
