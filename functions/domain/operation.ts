import type { ActionName } from './action.ts';
import type { EmailMessage, TaskBody } from './destination-records.ts';

/** The contact's frozen properties, by the CRM's names. */
export interface UpsertContactBody {
  readonly email: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly values: 'fill-blanks' | 'overwrite';
}

/** The owner we write, and the owner that we saw before. */
export interface AssignOwnerBody {
  readonly contactId: string;
  readonly ownerId: string;
  readonly baseline: {
    readonly ownerId: string | null;
    /** The CRM's own time of the newest change that we saw; null where there was none. */
    readonly changedAt: number | null;
  };
}

/** The introduction, frozen with the owner in whose name it goes out. */
export interface SendIntroductionBody {
  readonly contactId: string;
  readonly ownerId: string;
  readonly templateVersion: string;
  readonly message: EmailMessage;
  /** The exact bytes of the request. */
  readonly wire: string;
}

export interface OperationBodies {
  'upsert-contact': UpsertContactBody;
  'assign-owner': AssignOwnerBody;
  'create-task': TaskBody;
  'send-introduction': SendIntroductionBody;
}

/** A frozen operation: immutable, written before the first claim. */
export interface Operation<A extends ActionName = ActionName> {
  readonly action: A;
  readonly revision: number;
  readonly identity: string;
  readonly body: OperationBodies[A];
  readonly bodyHash: string;
  /** Intent hash of the fields of the lead request that the body is made of. */
  readonly fieldsHash?: string;
  /** Epoch milliseconds. */
  readonly frozenAt: number;
}
