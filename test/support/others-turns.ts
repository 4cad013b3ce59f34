/** How often other work had a turn on the event loop during `work`; zero if `work` never yields. */
export async function turnsOfOthers(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next: NodeJS.Immediate | undefined;
  const take = () => {
    turns += 1;
    next = setImmediate(take);
  };
  next = setImmediate(take);
  await work();
  clearImmediate(next);
  return turns;
}
