import { WrongUsage } from './errors.ts';

/** @throws WrongUsage for what can be no lead request's id */
export function checkLeadRequestId(leadRequestId: string): void {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(leadRequestId)) {
    throw new WrongUsage('A lead request id has 1 to 64 of the characters A-Z a-z 0-9 _ -.');
  }
}
