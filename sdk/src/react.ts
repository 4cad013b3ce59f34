/**
 * Bodies written with React: an element instead of `html`, rendered on this side by `@react-email/render`. The application
 * brings that, so that nobody installs React who does not use it; it is loaded when the first element is sent.
 */

/** `react` stands for `html`, and for `text` unless that is given. */
export type ReactBody<Email> = Omit<Email, 'html'> & { readonly react: object; readonly html?: undefined };

interface Renderer {
  readonly render: (element: never, options?: { readonly plainText?: boolean }) => Promise<string> | string;
}

/** As it is sent. An email without an element stays as it is. */
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
