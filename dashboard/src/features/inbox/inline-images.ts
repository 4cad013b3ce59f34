/** `cid:` leads nowhere in a browser; the images themselves are put in their place. */
interface Attachment {
  readonly content_id: string | null;
  readonly content_type: string;
  readonly content: string;
}

const IMAGE = /^image\/(png|jpe?g|gif|webp|avif|bmp)$/i;

/** Of a kind that is only looked at: a drawing that may hold a script is none of them. */
export function isImage(contentType: string): boolean {
  return IMAGE.test(contentType);
}

export function withInlineImages(html: string, attachments: readonly Attachment[]): string {
  const images = new Map(
    attachments
      .filter(({ content_id, content_type }) => content_id !== null && isImage(content_type))
      .map((one) => [String(one.content_id), `data:${one.content_type};base64,${one.content}`]),
  );
  return html.replace(/cid:([^"'\s)>]+)/gi, (whole, id: string) => images.get(decode(id)) ?? whole);
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
