/** The answer of the React rendering process on its standard output, after a marker. */
export const ANSWER_MARK = '\u0001postrider\u0001';

export type RenderAnswer =
  | { readonly html: string; readonly text: string | null; readonly subject: string | null }
  /** A sentence for the author. */
  | { readonly failure: string }
  /** The file contains no component. */
  | { readonly nothing: true };
