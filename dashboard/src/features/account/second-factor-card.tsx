/** A code from an authenticator app beside the password. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useMe } from '../../app/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock, Copyable } from '../../ui/copy.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { onSubmit } from '../../ui/form.ts';
import { Card } from '../../ui/page.tsx';
import { QrPicture } from './qr-picture.tsx';

export function SecondFactorCard() {
  const me = useMe();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const on = me.user.totp_enabled;
  return (
    <Card title="Two-factor authentication" actions={on ? <Badge tone="good">on</Badge> : <Badge>off</Badge>}>
      <div className="stack">
        {codes ? (
          <div className="shown-once">
            <span>
              Keep these recovery codes somewhere other than on your phone. Each code works once. The codes
              are shown only now.
            </span>
            <CodeBlock text={codes.join('\n')} label="Copy the recovery codes" />
          </div>
        ) : null}
        {on ? <TurnOff left={me.user.recovery_codes_left} /> : <TurnOn onCodes={setCodes} />}
      </div>
    </Card>
  );
}

function TurnOn({ onCodes }: { readonly onCodes: (codes: readonly string[]) => void }) {
  const client = useQueryClient();
  const [code, setCode] = useState('');
  const begin = useMutation({ mutationFn: () => api.auth.beginTotp() });
  const confirm = useMutation({
    mutationFn: () => api.auth.confirmTotp(code.trim()),
    onSuccess: async ({ recovery_codes }) => {
      onCodes(recovery_codes);
      await client.invalidateQueries({ queryKey: ['auth', 'me'] });
    },
  });
  if (!begin.data)
    return (
      <>
        <p>
          With two-factor authentication, signing in also requires a six-digit code from an app on your phone.
        </p>
        <ErrorNote error={begin.error} />
        <div>
          <Button busy={begin.isPending} onClick={() => begin.mutate()}>
            Set up
          </Button>
        </div>
      </>
    );
  return (
    <form className="stack" onSubmit={onSubmit(confirm.mutate)}>
      <div className="qr-row">
        <QrPicture text={begin.data.uri} label="A QR code with the secret" />
        <div className="stack-small">
          <p>
            Scan this with your authenticator app, <a href={begin.data.uri}>open it on this device</a>, or
            type the secret:
          </p>
          <Copyable text={begin.data.secret} label="Copy the secret" />
        </div>
      </div>
      <TextField
        label="Code"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.target.value)}
        hint="The six digits that the app shows."
        problem={problemOf(confirm.error, 'code')}
      />
      <ErrorNote error={confirm.error} known={['code']} />
      <div className="row row-end">
        <Button kind="primary" type="submit" busy={confirm.isPending}>
          Turn on
        </Button>
      </div>
    </form>
  );
}

function TurnOff({ left }: { readonly left: number }) {
  const client = useQueryClient();
  const [code, setCode] = useState('');
  const off = useMutation({
    mutationFn: () => api.auth.disableTotp(code.trim()),
    onSuccess: () => client.invalidateQueries({ queryKey: ['auth', 'me'] }),
  });
  return (
    <form className="stack" onSubmit={onSubmit(off.mutate)}>
      <p>
        {left} recovery codes are left. To turn the second factor off, enter a code from the app or a recovery
        code.
      </p>
      <TextField
        label="Code"
        required
        value={code}
        onChange={(event) => setCode(event.target.value)}
        problem={problemOf(off.error, 'code')}
      />
      <ErrorNote error={off.error} known={['code']} />
      <div className="row row-end">
        <Button kind="danger" type="submit" busy={off.isPending}>
          Turn off
        </Button>
      </div>
    </form>
  );
}
