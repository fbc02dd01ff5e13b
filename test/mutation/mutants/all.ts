import type { Mutant } from '../mutant.ts';
import { CLAIM } from './claim.ts';
import { DECISIONS } from './decisions.ts';
import { DESTINATIONS } from './destinations.ts';
import { GATES } from './gates.ts';
import { GUIDANCE } from './guide.ts';
import { INTAKE } from './intake.ts';
import { LEDGER_WRITES } from './ledger.ts';
import { PEOPLE_WIN } from './people.ts';
import { RECOVERY } from './recovery.ts';
import { SETTLE } from './settle.ts';
import { STACKS } from './stack.ts';
import { SURROUNDINGS } from './surroundings.ts';

/** Every protection that is taken away, one at a time. */
export const MUTANTS: readonly Mutant[] = [
  ...CLAIM,
  ...SETTLE,
  ...LEDGER_WRITES,
  ...GUIDANCE,
  ...PEOPLE_WIN,
  ...GATES,
  ...INTAKE,
  ...DECISIONS,
  ...RECOVERY,
  ...DESTINATIONS,
  ...STACKS,
  ...SURROUNDINGS,
];
