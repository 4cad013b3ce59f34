/** The content of a new template: examples of the language in HTML that every mail client displays. */
const TEMPLATE = {
  subject: 'Thank you, {{name}}',
  html: `<!doctype html>
<html>
  <body style="margin:0;background:#f6f4f1;font-family:Arial,sans-serif;color:#1c1917">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
      <tr><td align="center" style="padding:32px 16px">
        <table role="presentation" width="100%" style="max-width:520px;background:#ffffff;border-radius:12px">
          <tr><td style="padding:32px">
            <h1 style="margin:0 0 12px;font-size:22px">Thank you, {{name}}</h1>
            <p style="margin:0 0 16px;line-height:1.5">Here is what you ordered:</p>
            <ul style="padding-left:18px;line-height:1.6">
              {{#each items}}<li>{{this.title}}: {{this.price}}</li>{{/each}}
            </ul>
            {{#if coupon}}<p>Next time: <strong>{{coupon}}</strong></p>{{/if}}
          </td></tr>
        </table>
      </td></tr>
    </table>
  </body>
</html>
`,
  text: `Thank you, {{name}}

Here is what you ordered:
{{#each items}}
- {{this.title}}: {{this.price}}
{{/each}}
{{#if coupon}}
Next time: {{coupon}}
{{/if}}
`,
};

const LAYOUT = {
  html: `<!doctype html>
<html>
  <body style="margin:0;background:#f6f4f1;font-family:Arial,sans-serif;color:#1c1917">
    {{{content}}}
  </body>
</html>
`,
  text: `{{{content}}}
`,
};

const PARTIAL = {
  html: `<p style="color:#57534e;font-size:13px">You get this mail because you ordered something.</p>
`,
  text: `You get this mail because you ordered something.
`,
};

export const STARTERS = { template: TEMPLATE, layout: LAYOUT, partial: PARTIAL } as const;
