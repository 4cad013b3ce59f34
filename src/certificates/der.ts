/** Writes DER, the encoding of certificates and certificate requests. */

export function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

export function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.of(0), bytes);
}

export function octetString(bytes: Buffer): Buffer {
  return tagged(0x04, bytes);
}

export function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

export function setOf(...parts: readonly Buffer[]): Buffer {
  return tagged(0x31, ...parts);
}

/** RFC 5280: two-digit years until 2049, four digits after that. */
export function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');
  const isUtcTime = Number(text.slice(0, 4)) < 2050;
  return isUtcTime ? tagged(0x17, Buffer.from(text.slice(2))) : tagged(0x18, Buffer.from(text));
}

/** Tag, length, content. */
export function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

export function pemOf(label: 'CERTIFICATE', der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
