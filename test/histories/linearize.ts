/**
 * Compares what concurrent clients saw with a serial order (Wing and Gong): a history is right if there is an order of its calls in
 * which each takes effect between its request and its response, and a serial specification gives the same responses.
 * Histories are small, one for each key, so that every order can be tried.
 */

/** A call and its response, by one clock. A call without a response may have taken effect at any time after it, or never. */
export interface Call<Request, Response> {
  readonly request: Request;
  readonly response: Response | null;
  readonly beganMs: number;
  readonly endedMs: number;
}

export interface Specification<State, Request, Response> {
  readonly start: State;
  /** The states that can follow if the request is answered in this way; none if this answer is wrong in this state. */
  readonly next: (state: State, request: Request, response: Response | null) => readonly State[];
}

/** Whether a serial order explains the history. */
export function isLinearizable<State, Request, Response>(
  history: readonly Call<Request, Response>[],
  { start, next }: Specification<State, Request, Response>,
): boolean {
  // Copies, so that a call that is in the history twice counts twice.
  const calls = history.map((call) => ({ ...call }));
  const refused = new Set<string>();
  const explains = (left: readonly Call<Request, Response>[], state: State): boolean => {
    if (left.every(({ response }) => response === null)) return true;
    const known = JSON.stringify([left.map((call) => calls.indexOf(call)), state]);
    if (refused.has(known)) return false;
    const firstEndMs = Math.min(...left.map(endOf));
    const isExplained = left
      .filter((call) => call.beganMs <= firstEndMs)
      .some((call) =>
        next(state, call.request, call.response).some((then) =>
          explains(
            left.filter((one) => one !== call),
            then,
          ),
        ),
      );
    if (!isExplained) refused.add(known);
    return isExplained;
  };
  return explains(calls, start);
}

function endOf({ response, endedMs }: Call<unknown, unknown>): number {
  return response === null ? Number.POSITIVE_INFINITY : endedMs;
}
