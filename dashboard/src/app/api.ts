/** The one door to the server: the SDK, with the session's cookie instead of a key. */
import { Postrider, PostriderError } from '@postrider/sdk';
import type { AccountOperations } from './account-operations.ts';

export const api = new Postrider({ credentials: 'same-origin' });

export { PostriderError };

type AccountOperation = keyof AccountOperations & string;

interface Input {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Operations of people rather than of programs: signing in, members, the numbers of the overview. */
export async function call<K extends AccountOperation>(
  operation: K,
  input: Input = {},
): Promise<AccountOperations[K]> {
  const request = api.request.bind(api) as unknown as (
    name: string,
    input: Input,
  ) => Promise<{ data: AccountOperations[K] }>;
  return (await request(operation, input)).data;
}

/** The same with the whole answer, for lists with a cursor. */
export async function callForPage<K extends AccountOperation>(
  operation: K,
  input: Input = {},
): Promise<{ data: AccountOperations[K]; pagination: { next_cursor: string | null } }> {
  const request = api.request.bind(api) as unknown as (
    name: string,
    input: Input,
  ) => Promise<{ data: AccountOperations[K]; pagination: { next_cursor: string | null } }>;
  return request(operation, input);
}
