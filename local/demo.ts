import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type AwsAccess, awsAccess } from '../cli/aws/access.ts';
import { startHandoff } from '../cli/start-handoff.ts';
import { type RecoveryRecord, recoveryRecord } from '../functions/domain/recovery-record.ts';
import { checksAfter, checksBefore, type Inspection, PERSONS_OWNER } from './demo-checks.ts';
import { decideAsPerson } from './demo-decision.ts';
import { type DemoStory, demoStories } from './demo-leads.ts';
import { demoJson, demoText } from './demo-text.ts';
import { type Engine, startEngine } from './engine.ts';

const ROUTE = 'website';
/** The stories take about ten seconds; a busy machine may take longer, but not for ever. */
const DEADLINE_MS = 90_000;
const POLL_MS = 25;

const HELP = `npm run demo, or npm run --silent demo -- --json

Hands three leads off through the synthesized state machine and the bundled Lambda functions, into a CRM and a mail sender
that misbehave on purpose; prints each lead's recovery record; lets a person decide about the one that waits; and counts the
effects at the destination. Exits 1 when a count is not what it must be.

  --json   print the records, the destination's contents and the checks as JSON, and nothing else
           (without --silent npm prints two lines of its own before it)
  --help   print this
`;

/** The demo did not come to its end in time. */
class DemoTimeout extends Error {
  override readonly name = 'DemoTimeout';
  constructor(waitingFor: string) {
    super(`The demo gave up after ${DEADLINE_MS / 1000} s of waiting for ${waitingFor}.`);
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const say = (line: string) => {
    if (!values.json) process.stderr.write(`${line}\n`);
  };
  const starting = startEngine({ port: 0, sandboxPort: 0 });
  const signals = endOnSignal(starting);
  say('Synthesizing the app and starting it on this machine …');
  const engine = await starting;
  try {
    const stories = demoStories();
    await planFaults(engine, stories);
    say('Handing three leads off …');
    const aws = awsAccess({ stage: 'local', endpoint: engine.url }, process.env);
    await Promise.all(stories.map((story) => handOff(aws, story)));
    await personChangesOwner(engine, stories[2] as DemoStory);
    const records = await untilSettled(aws, stories, say);
    const before = checksBefore(records, await inspect(engine));
    say('A person decides about the third lead …');
    const [, , third] = stories as [DemoStory, DemoStory, DemoStory];
    await request(engine, 'DELETE', '/faults');
    const decision = await decideAsPerson(aws, ROUTE, third.lead.leadRequestId);
    const [after] = (await untilSettled(aws, [third], say, ['closed'])) as [RecoveryRecord];
    const inspection = await inspect(engine);
    const checks = [...before, ...checksAfter(after, inspection)];
    const run = { stories, records, decision, after, inspection, checks };
    process.stdout.write(values.json ? demoJson(run) : demoText(run));
    return checks.every(({ pass }) => pass) ? 0 : 1;
  } finally {
    signals.off();
    await engine.stop();
  }
}

/** Ctrl-C ends the engine with all its processes, also while it is still starting. */
function endOnSignal(starting: Promise<Engine>): { off: () => void } {
  const end = (signal: NodeJS.Signals) => {
    const exit = () => process.exit(signal === 'SIGINT' ? 130 : 143);
    starting.then((engine) => engine.stop()).then(exit, exit);
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  return {
    off: () => {
      process.off('SIGINT', end);
      process.off('SIGTERM', end);
    },
  };
}

async function planFaults(engine: Engine, [, lost, dropped]: readonly DemoStory[]): Promise<void> {
  await post(engine, '/faults', [
    { operation: 'send-email', match: { email: lost?.lead.email }, kind: 'apply-then-drop' },
    // Every attempt is dropped: this person is to get no email at all.
    { operation: 'send-email', match: { email: dropped?.lead.email }, kind: 'drop', times: 4 },
  ]);
}

async function handOff(aws: AwsAccess, { lead }: DemoStory): Promise<void> {
  const answer = await startHandoff(aws, ROUTE, lead);
  if ('refusal' in answer) throw new Error(`${lead.leadRequestId} was refused: ${answer.refusal.message}`);
}

/** As soon as the introduction has been dropped, a person gives the contact to somebody else. */
async function personChangesOwner(engine: Engine, { lead }: DemoStory): Promise<void> {
  await until(`the first introduction to ${lead.leadRequestId}`, async () => {
    const { requests } = await inspect(engine);
    return requests.some(({ operation, fault }) => operation === 'send-email' && fault === 'drop');
  });
  await post(engine, '/people/set-owner', { email: lead.email, ownerId: PERSONS_OWNER });
}

async function untilSettled(
  { ledger }: AwsAccess,
  stories: readonly DemoStory[],
  say: (line: string) => void,
  settledAs: readonly string[] = ['closed', 'waiting'],
): Promise<RecoveryRecord[]> {
  const told = new Set<string>();
  let records: RecoveryRecord[] = [];
  await until('every lead to be closed or to wait for a person', async () => {
    const found = await Promise.all(
      stories.map(({ lead: { leadRequestId } }) => ledger.record({ route: ROUTE, leadRequestId })),
    );
    records = found.flatMap((record) => (record ? [recoveryRecord(record)] : []));
    const settled = records.filter(({ status }) => settledAs.includes(status));
    for (const { leadRequestId, status } of settled) {
      if (!told.has(leadRequestId)) say(`  ${leadRequestId} is ${status}`);
      told.add(leadRequestId);
    }
    return settled.length === stories.length;
  });
  return records;
}

async function until(what: string, reached: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + DEADLINE_MS;
  while (!(await reached())) {
    if (Date.now() > giveUpAt) throw new DemoTimeout(what);
    await sleep(POLL_MS);
  }
}

async function inspect(engine: Engine): Promise<Inspection> {
  const response = await fetch(`${engine.sandboxUrl}/inspect`);
  return (await response.json()) as Inspection;
}

function post(engine: Engine, path: string, body: unknown): Promise<void> {
  return request(engine, 'POST', path, body);
}

async function request(engine: Engine, method: string, path: string, body?: unknown): Promise<void> {
  const response = await fetch(`${engine.sandboxUrl}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`The sandbox refused ${path}: ${await response.text()}`);
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const expected = error instanceof Error && error.name !== 'Error';
    process.stderr.write(`${expected ? (error as Error).message : String(error)}\n`);
    process.exitCode = 1;
  },
);
