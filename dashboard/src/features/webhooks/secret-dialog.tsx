import { ShownOnceDialog, ShownUse } from '../../ui/shown-once-dialog.tsx';

interface Props {
  readonly secret: string;
  readonly rotated?: boolean;
  readonly onClose: () => void;
}

export function SecretDialog({ secret, rotated = false, onClose }: Props) {
  return (
    <ShownOnceDialog
      what="secret"
      value={secret}
      note="The secret is shown only once. Your code uses the secret to check that a call really comes from Postrider."
      onClose={onClose}
    >
      {rotated ? (
        <p>
          For 24 hours every call carries two signatures, one with each secret, so you have time to deploy the
          new one.
        </p>
      ) : null}
      <ShownUse
        title="With our SDK, or any Standard Webhooks library:"
        code={EXAMPLE}
        label="Copy the example"
      />
    </ShownOnceDialog>
  );
}

const EXAMPLE = `import { Webhook } from 'standardwebhooks';

const event = new Webhook(process.env.WEBHOOK_SECRET).verify(body, headers);`;
