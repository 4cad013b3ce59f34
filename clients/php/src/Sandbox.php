<?php

declare(strict_types=1);

namespace Postrider;

use Postrider\Exception\MailNotReceivedException;
use Postrider\Generated\SandboxResource;
use Postrider\Http\Json;

/** The sandbox inbox: waits for messages. */
final class Sandbox extends SandboxResource
{
    /** The longest time that the API waits, and extra time for the transfer. */
    private const LONGEST_WAIT = 30.0;
    private const MARGIN = 10.0;
    private const MENTIONED = 5;

    /**
     * Returns the newest matching message as soon as it arrives. `to` and a part of the subject match regardless of
     * case. `since` is compared with the clock of the server.
     *
     * @param float $timeout seconds
     * @throws MailNotReceivedException when the time is over
     */
    public function waitFor(
        ?string $to = null,
        ?string $subject = null,
        \DateTimeInterface|string|null $since = null,
        float $timeout = 30.0,
    ): ReceivedMail {
        $since = $since instanceof \DateTimeInterface ? Json::moment($since) : $since;
        $wanted = ['to' => $to, 'subject' => $subject, 'since' => $since];
        $until = microtime(true) + $timeout;
        do {
            $wait = (int) ceil(min(max(0.0, $until - microtime(true)), self::LONGEST_WAIT));
            $message = $this->latest([...$wanted, 'wait' => $wait], ['timeout' => $wait + self::MARGIN]);
            if ($message !== null) {
                return new ReceivedMail($this, $message);
            }
        } while (microtime(true) < $until);
        throw $this->notReceived($wanted, $timeout);
    }

    /** @param array{to: ?string, subject: ?string, since: ?string} $wanted */
    private function notReceived(array $wanted, float $timeout): MailNotReceivedException
    {
        $to = $wanted['to'];
        $query = ['to' => $to, 'limit' => self::MENTIONED];
        $sent = $to === null ? [] : $this->api->data('GET /emails', query: $query);
        $captured = $this->list(['limit' => self::MENTIONED])['data'];
        $lines = [self::sentence($wanted) . " arrived within $timeout s."];
        foreach ($sent as $one) {
            $lines[] = "An email to them, \"{$one['subject']}\", is {$one['status']} ({$one['id']}).";
        }
        if ($to !== null && $sent === []) {
            $lines[] = 'No email to them was accepted: was it sent at all?';
        }
        $lines[] = $captured === [] ? 'The inbox is empty.' : 'What arrived last:';
        foreach ($captured as $one) {
            $lines[] = "  {$one['received_at']} to {$one['to']}: {$one['subject']}";
        }
        return new MailNotReceivedException(implode("\n", $lines), 'TIMED_OUT');
    }

    /** @param array{to: ?string, subject: ?string, since: ?string} $wanted */
    private static function sentence(array $wanted): string
    {
        return 'No mail'
            . ($wanted['to'] === null ? '' : " to {$wanted['to']}")
            . ($wanted['subject'] === null ? '' : " with \"{$wanted['subject']}\" in its subject")
            . ($wanted['since'] === null ? '' : " since {$wanted['since']}");
    }
}
