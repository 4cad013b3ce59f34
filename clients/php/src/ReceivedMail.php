<?php

declare(strict_types=1);

namespace Postrider;

use Postrider\Generated\SandboxResource;
use Postrider\Generated\Shapes;

/**
 * A message in the sandbox, and what its recipient may do with it. Everything goes through the same doors as the real
 * thing; what it leads to follows as it does for real.
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

    /** Looks at it: its pixel is loaded. */
    public function open(): void
    {
        $this->act(['action' => 'open']);
    }

    /** Follows a link, by its address or by what is written on it; the first when not given. Gives where it leads. */
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

    /** Presses the button of the mail program. */
    public function unsubscribe(): void
    {
        $this->act(['action' => 'unsubscribe']);
    }

    /** Their server took it, and finds out now that there is no such mailbox. */
    public function bounce(): void
    {
        $this->act(['action' => 'bounce']);
    }

    /** Says that it is spam. */
    public function complain(): void
    {
        $this->act(['action' => 'complain']);
    }

    /** Answers it, to its Reply-To or its sender. It is received there as real answers are: see `inbound->list()`. */
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
