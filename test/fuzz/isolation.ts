/** Every id of one organization on every route that takes one, with every key of the other. */

import { ask, type FuzzOptions, type FuzzReport, note } from './ask.ts';
import type { Operation } from './document.ts';
import type { Caller, FuzzFixture, FuzzOrganization } from './fixture.ts';
import { nounOfParameter } from './id-pool.ts';
import { Random } from './random.ts';
import { type FuzzRequest, makeRequest } from './request.ts';

/** Several organizations' mail waits for one of these, and each of them may see it: test/api/sites.test.ts. */
const SHARED_NOUN = 'sites';

export async function sweep(fixture: FuzzFixture, options: FuzzOptions, report: FuzzReport): Promise<void> {
  const [first, second] = fixture.organizations;
  await tryAll(fixture, first, second, options, report);
  await tryAll(fixture, second, first, options, report);
}

async function tryAll(
  fixture: FuzzFixture,
  owner: FuzzOrganization,
  stranger: FuzzOrganization,
  options: FuzzOptions,
  report: FuzzReport,
): Promise<void> {
  const random = new Random(options.seed);
  const [full] = stranger.callers;
  for (const operation of fixture.api.operations.filter(
    ({ path }) => path.includes('{') && !path.includes(`/${SHARED_NOUN}/`),
  )) {
    const own = owner.ids.newest(nounOfId(operation), options.idsPerNoun);
    const other = owner.ids.nouns.flatMap((noun) => owner.ids.newest(noun, 1));
    const attempts = [
      ...own.flatMap((id) => stranger.callers.map((caller) => ({ id, caller }))),
      // What is not even of that kind, with the key that gets furthest.
      ...other.flatMap((id) => (full ? [{ id, caller: full }] : [])),
    ];
    await Promise.all(
      attempts.map(({ id, caller }) =>
        tryOne(fixture, { owner, stranger, operation, id, caller, random, options, report }),
      ),
    );
  }
}

interface Attempt {
  readonly owner: FuzzOrganization;
  readonly stranger: FuzzOrganization;
  readonly operation: Operation;
  readonly id: string;
  readonly caller: Caller;
  readonly random: Random;
  readonly options: FuzzOptions;
  readonly report: FuzzReport;
}

async function tryOne(fixture: FuzzFixture, attempt: Attempt): Promise<void> {
  const { owner, stranger, operation, id, caller, random, options, report } = attempt;
  const request = makeRequest(operation, 'valid', {
    random,
    api: fixture.api,
    domain: stranger.domain,
    mark: stranger.mark,
    idOf: (noun) => (noun === nounOfId(operation) ? id : stranger.ids.pick(noun, random)),
  });
  const answer = await ask(fixture, request, caller, options, report);
  report.foreign += 1;
  const problem = answer && problemOfForeign(answer.status, answer.text, owner, request);
  if (problem) note(fixture, report, request, caller, problem);
}

/** Of what the first id in the path is one. */
function nounOfId({ path }: Operation): string {
  return nounOfParameter(path, /\{(\w+)\}/.exec(path)?.[1] ?? '');
}

/** Not found, or not for this kind of key at all; a public path such as an invite's is not found either. */
function problemOfForeign(
  status: number,
  text: string,
  owner: FuzzOrganization,
  { operation }: FuzzRequest,
): string | null {
  if (text.includes(owner.mark)) return `shows what belongs to another organization: ${text.slice(0, 300)}`;
  const expected = operation.path.includes('{token}') ? [400, 401, 403, 404] : [403, 404];
  // A body that is wrong by itself is told so before anything is looked up.
  if (operation.requestBody !== undefined) expected.push(400);
  return expected.includes(status) ? null : `answers ${status} to an id of another organization`;
}
