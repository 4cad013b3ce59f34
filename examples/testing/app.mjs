/** The application under test: people sign up with an address and type the code that they are sent. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { Postrider } from '@postrider/sdk';

const postrider = new Postrider({
  apiKey: process.env.APP_POSTRIDER_API_KEY,
  baseUrl: process.env.POSTRIDER_URL,
});
const codes = new Map();

const PAGE = `<!doctype html><html lang="en"><title>Acme</title>
<form id="sign-up"><label>Email <input name="email" type="email" required></label><button>Sign up</button></form>
<form id="confirm" hidden><label>Code <input name="code" required></label><button>Confirm</button></form>
<p role="status"></p>
<script>
  const post = (path, fields) => fetch(path, { method: 'POST', body: JSON.stringify(fields) }).then((r) => r.text());
  const [signUp, confirm] = document.forms;
  const fieldsOf = (form) => Object.fromEntries(new FormData(form));
  signUp.onsubmit = async (event) => {
    event.preventDefault();
    await post('/sign-up', fieldsOf(signUp));
    confirm.hidden = false;
  };
  confirm.onsubmit = async (event) => {
    event.preventDefault();
    const said = await post('/confirm', { ...fieldsOf(signUp), ...fieldsOf(confirm) });
    document.querySelector('[role=status]').textContent = said;
  };
</script>`;

async function signUp({ email }) {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  codes.set(email, code);
  await postrider.emails.send({
    from: { email: 'hello@sandbox.test', name: 'Acme' },
    to: [{ email }],
    subject: 'Your sign-in code',
    text: `Your code is ${code}. It is good for ten minutes.`,
    collapse_key: `sign-in:${email}`,
  });
  return 'sent';
}

function confirm({ email, code }) {
  return codes.get(email) === code ? `Welcome, ${email}` : 'That is not the code';
}

const ROUTES = { '/sign-up': signUp, '/confirm': confirm };

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

/** Resolves to its address, and how to stop it. */
export function startApp() {
  const server = createServer(async (request, response) => {
    const route = ROUTES[request.url];
    if (route === undefined) return response.setHeader('content-type', 'text/html').end(PAGE);
    try {
      response.end(await route(await bodyOf(request)));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const url = `http://127.0.0.1:${server.address().port}`;
      resolve({ url, stop: () => server.close() });
    });
  });
}
