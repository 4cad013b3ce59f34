/** Decodes texts that postal-mime would decode wrongly: those in a single-byte character set. */
import { c1AsWindows1252, charsetDecoder, singleByteDecoder } from './charset.ts';

/** The used members of postal-mime's part. */
interface TextNode {
  readonly contentType: { readonly parsed: { readonly params: { charset?: string } } };
  content: ArrayBuffer | null;
  getTextContent: () => string;
}

/**
 * postal-mime decodes with TextDecoder, which may treat windows-1252 as Latin-1, so it gets single-byte text
 * as UTF-8. Text that it decodes as windows-1252 because of an unknown label is corrected afterwards.
 */
export function decodeSingleBytes(node: TextNode, content: ArrayBuffer): void {
  const { params } = node.contentType.parsed;
  if (params.charset === undefined) return;
  const decoder = singleByteDecoder(params.charset);
  if (decoder !== null) {
    node.content = new TextEncoder().encode(decoder.decode(new Uint8Array(content))).buffer;
    params.charset = 'utf-8';
  } else if (charsetDecoder(params.charset) === null) {
    const text = c1AsWindows1252(node.getTextContent());
    node.getTextContent = () => text;
  }
}
