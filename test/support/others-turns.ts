/** How often others had their turn on the event loop while the work was done: never, where it is done at one go. */
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
