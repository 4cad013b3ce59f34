/** What the process that renders React answers, on its standard output behind a mark. */
export const ANSWER_MARK = '\u0001postrider\u0001';

export type RenderAnswer =
  | { readonly html: string; readonly text: string | null; readonly subject: string | null }
  /** A sentence for the author. */
  | { readonly failure: string }
  /** There is no component in the file. */
  | { readonly nothing: true };
