/** For those who have sent nothing yet: the request that does, ready to be pasted. */
import { Link } from '@tanstack/react-router';
import { useMode } from '../../app/session.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { Empty } from '../../ui/page.tsx';

export function FirstMail() {
  const sandbox = useMode() === 'sandbox';
  return (
    <Empty icon="emails" title="No email has been sent yet">
      <p>
        Write one under <Link to="/compose">Compose</Link>, or send it from your code: create a key under{' '}
        <Link to="/settings/api-keys">Settings → API keys</Link> and paste this.
        {sandbox ? ' In the sandbox the email goes to your sandbox inbox only.' : ''}
      </p>
      <CodeBlock label="Copy the command" text={curlExample('$API_KEY')} />
    </Empty>
  );
}

export function curlExample(key: string, from = 'hello@sandbox.test'): string {
  return `curl ${location.origin}/api/v1/emails/send \\
  -H "Authorization: Bearer ${key}" \\
  -H 'Content-Type: application/json' \\
  -d '{"from":{"email":"${from}"},"to":[{"email":"ada@example.org"}],
       "subject":"Hello from Postrider","text":"It works."}'`;
}
