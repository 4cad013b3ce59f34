<?php

declare(strict_types=1);

namespace Postrider;

use Postrider\Exception\PostriderException;

/**
 * An endless stream of events over several connections: when a connection breaks, the next one continues after the last
 * event. Events that the server repeats are left out. The client applies the filter, because every event shows the
 * position in the stream.
 *
 * @internal
 */
final class Following
{
    private const FIRST_PAUSE = 1.0;
    private const LONGEST_PAUSE = 30.0;
    /** The server repeats the last few seconds. */
    private const MOST_REMEMBERED = 10_000;

    /** @var array<string, true> in the order in which they are to be forgotten */
    private array $seen = [];
    private ?string $lastId;
    private int $failures = 0;
    private ?string $blockId = null;
    /** @var list<string> */
    private array $blockData = [];

    /** @param list<array<string, mixed>> $known the newest first; it goes on after that one */
    public function __construct(array $known, private readonly ?string $type, private readonly ?string $recipient)
    {
        $this->lastId = $known[0]['id'] ?? null;
        foreach (array_reverse($known) as $event) {
            $this->seen[$event['id']] = true;
        }
    }

    /** @return array<string, string> of the next connection */
    public function headers(): array
    {
        $this->forgetBlock();
        return $this->lastId === null ? [] : ['last-event-id' => $this->lastId];
    }

    /**
     * Reads a line of the stream. Returns an event if the line ends one.
     *
     * @return ?array<string, mixed>
     */
    public function take(string $line): ?array
    {
        $this->failures = 0;
        if ($line === '') {
            $event = $this->eventOfBlock();
            $this->forgetBlock();
            return $event;
        }
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        $value = str_starts_with($value, ' ') ? substr($value, 1) : $value;
        if ($name === 'id') {
            $this->blockId = $value;
        } elseif ($name === 'data') {
            $this->blockData[] = $value;
        }
        return null;
    }

    /** Seconds until the next connection. Throws a refusal; an unavailable server or a broken connection is none. */
    public function pauseAfter(?PostriderException $error): float
    {
        if ($error !== null) {
            if ($error->status !== 0 && $error->status < 500 && $error->status !== 429) {
                throw $error;
            }
            $this->failures++;
        }
        $longest = min(self::LONGEST_PAUSE, self::FIRST_PAUSE * 2 ** min($this->failures, 10));
        return $longest * (0.5 + random_int(0, 1000) / 2000);
    }

    /** @return ?array<string, mixed> */
    private function eventOfBlock(): ?array
    {
        $this->lastId = $this->blockId ?? $this->lastId;
        if ($this->blockData === [] || ($this->blockId !== null && !$this->isNew($this->blockId))) {
            return null;
        }
        $event = json_decode(implode("\n", $this->blockData), true, 512, JSON_THROW_ON_ERROR);
        return $this->isWanted($event) ? $event : null;
    }

    private function isNew(string $id): bool
    {
        if (isset($this->seen[$id])) {
            return false;
        }
        $this->seen[$id] = true;
        if (count($this->seen) > self::MOST_REMEMBERED) {
            unset($this->seen[array_key_first($this->seen)]);
        }
        return true;
    }

    /** @param array<string, mixed> $event */
    private function isWanted(array $event): bool
    {
        return ($this->type === null || $event['type'] === $this->type)
            && ($this->recipient === null || strcasecmp($event['recipient'], $this->recipient) === 0);
    }

    private function forgetBlock(): void
    {
        $this->blockId = null;
        $this->blockData = [];
    }
}
