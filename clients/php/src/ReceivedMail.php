<?php

declare(strict_types=1);

namespace Postrider;

use Postrider\Generated\SandboxResource;
use Postrider\Generated\Shapes;

/**
 * A message in the sandbox inbox, with the actions of its recipient. The actions use the same endpoints as real
 * recipients, so events and webhooks follow as in live mode.
 *
 * @phpstan-import-type SandboxLatestData from Shapes
 * @phpstan-import-type SandboxLatestDataLinksItem from Shapes
 */
final class ReceivedMail
{
    /** @var list<string> */
    public readonly array $codes;
    /** @var list<SandboxLatestDataLinksItem> */
    public readonly array $links;

    /** @param SandboxLatestData $message as the API gives it */
    public function __construct(private readonly SandboxResource $sandbox, public readonly array $message)
    {
        $this->codes = $message['codes'];
        $this->links = $message['links'];
    }

    /** Opens the message: loads its pixel. */
    public function open(): void
    {
        $this->act(['action' => 'open']);
    }

    /** Follows a link, by its URL or its text; the default is the first link. Returns the URL that it leads to. */
    public function click(?string $link = null): string
    {
        foreach ($this->links as $one) {
            if ($link === $one['text']) {
                $link = $one['url'];
                break;
            }
        }
        return $this->act(['action' => 'click'] + ($link === null ? [] : ['link' => $link])) ?? '';
    }

    /** Unsubscribes, like the button of a mail client. */
    public function unsubscribe(): void
    {
        $this->act(['action' => 'unsubscribe']);
    }

    /** Bounces the message later, as a server that accepted it and then finds no mailbox. */
    public function bounce(): void
    {
        $this->act(['action' => 'bounce']);
    }

    /** Reports the message as spam. */
    public function complain(): void
    {
        $this->act(['action' => 'complain']);
    }

    /** Replies to the Reply-To address or the sender. The reply is in `inbound->list()`. */
    public function reply(?string $text = null): void
    {
        $this->act($text === null ? ['action' => 'reply'] : ['action' => 'reply', 'text' => $text]);
    }

    /** @param array<string, string> $action */
    private function act(array $action): ?string
    {
        return $this->sandbox->act($this->message['id'], $action)['leads_to'];
    }
}
