/** What strangers may have made as long as they liked: two lines of it, and the whole for whoever points at it. */
export function Shortened({ text }: { readonly text: string }) {
  return (
    <span className="shortened" title={text}>
      {text}
    </span>
  );
}
