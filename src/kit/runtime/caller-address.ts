/** Whom attempts from a network address are counted for. An IPv6 caller is its /64: one machine usually owns that many. */
export const ADDRESS = 'ip:';

export function callerOfAddress(address: string | undefined): string {
  if (address === undefined) return `${ADDRESS}unknown`;
  return ADDRESS + (address.includes(':') && !address.includes('.') ? networkOf(address) : address);
}

/** The first four groups, with `::` written out as far as it reaches into them. */
function networkOf(address: string): string {
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    while (groups.length + after.length < 8) groups.push('0');
    groups.push(...after);
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
