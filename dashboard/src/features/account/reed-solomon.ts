/** Reed–Solomon codewords over GF(256), as QR codes use them. */
export function correctionOf(data: readonly number[], length: number): number[] {
  const divisor = divisorOf(length);
  const rest = Array.from({ length }, () => 0);
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    for (let place = 0; place < length; place += 1)
      rest[place] = (rest[place] ?? 0) ^ multiply(divisor[place] ?? 0, factor);
  }
  return rest;
}

/** The product of (x − 2^i), without its leading 1. */
function divisorOf(length: number): number[] {
  const divisor: number[] = Array.from({ length }, (_, place) => (place === length - 1 ? 1 : 0));
  let root = 1;
  for (let step = 0; step < length; step += 1) {
    for (let place = 0; place < length; place += 1)
      divisor[place] = multiply(divisor[place] ?? 0, root) ^ (divisor[place + 1] ?? 0);
    root = multiply(root, 2);
  }
  return divisor;
}

function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}
