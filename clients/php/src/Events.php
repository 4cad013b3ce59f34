<?php

declare(strict_types=1);

namespace Postrider;

use Postrider\Exception\PostriderException;
use Postrider\Generated\EventsResource;
use Postrider\Generated\Shapes;
use Postrider\Http\Transport;

/**
 * Events, as a list and as they happen.
 *
 * @phpstan-import-type StreamEvent from Shapes
 */
final class Events extends EventsResource
{
    /** Seconds. The server sends a heartbeat every 15. */
    private const SILENCE = 45.0;

    /**
     * Yields events as they happen, from this call on, for as long as you read. Reconnects when the connection breaks,
     * and misses no event.
     *
     * @return \Generator<int, StreamEvent>
     */
    public function follow(?string $type = null, ?string $recipient = null): \Generator
    {
        // The server begins a few seconds earlier, so that no event is missed.
        $before = $this->list(['limit' => Transport::MAX_PER_PAGE])['data'];
        return $this->followed(new Following($before, $type, $recipient));
    }

    /** @return \Generator<int, StreamEvent> */
    private function followed(Following $following): \Generator
    {
        while (true) {
            $failure = null;
            try {
                foreach ($this->api->lines('GET /events/stream', $following->headers(), self::SILENCE) as $line) {
                    $event = $following->take($line);
                    if ($event !== null) {
                        yield $event;
                    }
                }
            } catch (PostriderException $error) {
                $failure = $error;
            }
            usleep((int) ($following->pauseAfter($failure) * 1_000_000));
        }
    }
}
