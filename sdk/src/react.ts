/**
 * Bodies written with React: an element instead of `html`, which the client renders with `@react-email/render`. The
 * application installs that package if it uses React. It is loaded when the first element is sent.
 */

/** `react` replaces `html`, and `text` unless it is given. */
export type ReactBody<Email> = Omit<Email, 'html'> & { readonly react: object; readonly html?: undefined };

interface Renderer {
  readonly render: (element: never, options?: { readonly plainText?: boolean }) => Promise<string> | string;
}

/** The email as it is sent. An email without an element does not change. */
export async function withReactRendered<Email extends object>(
  email: Email | ReactBody<Email>,
): Promise<Email> {
  if (!('react' in email) || email.react === undefined) return email as Email;
  const { react, ...rest } = email as ReactBody<Email> & { readonly text?: string };
  if (rest.html !== undefined) throw new TypeError('Give `react` or `html`, not both.');
  const { render } = await renderer();
  const html = await render(react as never);
  const text = rest.text ?? (await render(react as never, { plainText: true }));
  return { ...rest, html, text } as unknown as Email;
}

async function renderer(): Promise<Renderer> {
  try {
    return (await import('@react-email/render')) as unknown as Renderer;
  } catch (cause) {
    throw new Error(
      'To send `react`, install @react-email/render beside react and react-dom: npm install @react-email/render',
      { cause },
    );
  }
}
