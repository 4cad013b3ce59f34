/** Untrusted text of any length: shows two lines, and the whole text as a tooltip. */
export function Shortened({ text }: { readonly text: string }) {
  return (
    <span className="shortened" title={text}>
      {text}
    </span>
  );
}
