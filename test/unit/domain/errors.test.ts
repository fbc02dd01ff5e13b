import { expect, test } from 'vitest';
import {
  AttemptInFlight,
  DependencyStopped,
  Held,
  InvalidEvent,
  LeadConflict,
  NoGrant,
  NotApplied,
  NotCurrent,
  NotFinal,
  OutcomeUnknown,
  OwnerUnknown,
  Refused,
  UnderInvestigation,
  UnknownHandoff,
  UnknownRoute,
} from '../../../functions/domain/errors.ts';

test.each<[Error, string, string]>([
  [new Held('route-paused'), 'Held', 'The action is held before its claim (route-paused).'],
  [
    new NotCurrent('web.inq-1.1'),
    'NotCurrent',
    'Execution web.inq-1.1 is not the current one of its handoff.',
  ],
  [
    new DependencyStopped('upsert-contact'),
    'DependencyStopped',
    'upsert-contact was stopped, and this action needs it.',
  ],
  [new OwnerUnknown(), 'OwnerUnknown', 'The CRM does not know the owner of this contact.'],
  [new NoGrant(2, 'grant-expired'), 'NoGrant', 'Attempt 2 has no valid grant (grant-expired).'],
  [new AttemptInFlight(2), 'AttemptInFlight', 'Attempt 2 is being run by another worker.'],
  [new NotApplied('connect-refused'), 'NotApplied', 'The attempt had no effect (connect-refused).'],
  [new OutcomeUnknown('timeout'), 'OutcomeUnknown', 'What the attempt did is not known (timeout).'],
  [new Refused('permissions'), 'Refused', 'The destination refused (permissions).'],
  [new UnknownHandoff('web', 'inq-1'), 'UnknownHandoff', 'There is no handoff inq-1 on route web.'],
  [new UnknownRoute(['web', 'fair']), 'UnknownRoute', 'route: expected one of web, fair.'],
  [
    new LeadConflict('inq-1'),
    'LeadConflict',
    'leadRequestId: inq-1 was accepted before with other fields; the first one stands, this one is kept as a conflict.',
  ],
  [
    new UnderInvestigation('inq-1'),
    'UnderInvestigation',
    'leadRequestId: messages under inq-1 are being investigated; until that is over an approver alone may hand it in, and this one is kept as a conflict.',
  ],
  [
    new NotFinal(['create-task', 'send-introduction']),
    'NotFinal',
    'The handoff cannot be closed: create-task, send-introduction not final.',
  ],
  [new InvalidEvent('run'), 'InvalidEvent', 'run: is missing, or not what this function expects.'],
])('the workflow sees %o by its name, and people read what it means', (error, name, message) => {
  expect([error.name, error.message]).toEqual([name, message]);
});
