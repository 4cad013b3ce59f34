/** Texts that postal-mime would decode wrongly: those in a character set of one byte. */
import { c1AsWindows1252, charsetDecoder, singleByteDecoder } from './charset.ts';

/** What is needed of a part of postal-mime's. */
interface TextNode {
  readonly contentType: { readonly parsed: { readonly params: { charset?: string } } };
  content: ArrayBuffer | null;
  getTextContent: () => string;
}

/**
 * postal-mime decodes with TextDecoder, which may read windows-1252 as Latin-1: it gets a text of one byte a character in
 * UTF-8. What it takes for windows-1252 because it does not know the label is put right afterwards.
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
