<?php

declare(strict_types=1);

namespace Postrider;

use Postrider\Exception\PostriderException;
use Postrider\Generated\EventsResource;
use Postrider\Generated\Shapes;
use Postrider\Http\Transport;

/**
 * Everything that happens, also as it happens.
 *
 * @phpstan-import-type StreamEvent from Shapes
 */
final class Events extends EventsResource
{
    /** Seconds. The server says something every 15. */
    private const SILENCE = 45.0;

    /**
     * What happens from now on, as it happens, for as long as you read. Connections that break are made anew, and
     * nothing is missed in between. "Now" is this call, and not the first event that is read.
     *
     * @return \Generator<int, StreamEvent>
     */
    public function follow(?string $type = null, ?string $recipient = null): \Generator
    {
        // The server begins a few seconds before what it is told, lest something be missed.
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
