import { expect, test, vi } from 'vitest';
import { ACTIONS } from '../../../functions/domain/action.ts';

vi.hoisted(() => {
  Object.assign(process.env, { LEDGER_TABLE: 'ledger', IDEMPOTENCY_TABLE: 'idempotency' });
});
const { remembers, handles } = vi.hoisted(() => ({ remembers: vi.fn(), handles: vi.fn() }));

vi.mock('../../../functions/adapters/idempotency.ts', async (original) => {
  const { idempotencyOf } = await original<typeof import('../../../functions/adapters/idempotency.ts')>();
  return { idempotencyOf: remembers.mockImplementation(idempotencyOf) };
});
vi.mock('../../../functions/actions/action-function.ts', () => ({ actionHandler: handles }));

test.each(ACTIONS)(
  '%s remembers its attempts under its own name, and is handled as itself',
  async (action) => {
    remembers.mockClear();
    handles.mockClear();

    await import(`../../../functions/actions/${action}.ts`);

    const store = remembers.mock.results[0]?.value;
    expect(remembers.mock.calls).toEqual([[action]]);
    expect(store.keyPrefix).toBe(action);
    expect(handles).toHaveBeenCalledExactlyOnceWith(
      action,
      expect.any(Function),
      store.config,
      expect.any(Function),
    );
  },
);
