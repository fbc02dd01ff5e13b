import type { ActionName } from '../domain/action.ts';
import type { ReceiverContract } from '../domain/contract.ts';
import type { RouteSettings } from '../domain/route.ts';
import type { StageNumbers } from '../domain/stage-numbers.ts';
import { hubspotContactContract, hubspotOwnerContract, hubspotTaskContract } from './hubspot/contract.ts';
import { resendContract } from './resend/contract.ts';

/** The promise of the destination that an action writes to. */
export function contractOf(
  action: ActionName,
  route: RouteSettings,
  numbers: StageNumbers,
): ReceiverContract {
  switch (action) {
    case 'upsert-contact':
      return hubspotContactContract(numbers);
    case 'assign-owner':
      return hubspotOwnerContract(numbers);
    case 'create-task':
      return hubspotTaskContract(numbers, route.crm.uniqueTaskProperty);
    case 'send-introduction':
      return resendContract(numbers);
  }
}
