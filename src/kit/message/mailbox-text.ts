/** A mailbox as people write it: `Ada Lovelace <ada@example.org>`, with quotes where the name needs them. */
export function mailboxText({
  email,
  name,
}: {
  readonly email: string;
  readonly name: string | null;
}): string {
  if (!name) return email;
  return `${NEEDS_QUOTES.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name} <${email}>`;
}

/** RFC 5322, 3.2.3: what would end a name, or be read as something else. */
const NEEDS_QUOTES = /[()<>[\]:;@\\,."]/;
