import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';

interface Props {
  readonly secret: string;
  readonly rotated?: boolean;
  readonly onClose: () => void;
}

export function SecretDialog({ secret, rotated = false, onClose }: Props) {
  return (
    <Dialog title="Copy the secret now" onClose={onClose}>
      <div className="stack">
        <div className="shown-once">
          <span>
            It is shown only once. Your code uses it to check that a call really comes from Postrider.
          </span>
          <CodeBlock text={secret} label="Copy the secret" />
        </div>
        {rotated ? (
          <p>
            For 24 hours every call carries two signatures, one with each secret, so you have time to deploy
            the new one.
          </p>
        ) : null}
        <div className="stack-small">
          <span>With our SDK, or any Standard Webhooks library:</span>
          <CodeBlock text={EXAMPLE} label="Copy the example" />
        </div>
        <div className="row row-end">
          <Button kind="primary" onClick={onClose}>
            I have copied it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

const EXAMPLE = `import { Webhook } from 'standardwebhooks';

const event = new Webhook(process.env.WEBHOOK_SECRET).verify(body, headers);`;
