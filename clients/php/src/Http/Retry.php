<?php

declare(strict_types=1);

namespace Postrider\Http;

use Postrider\Exception\PostriderException;
use Postrider\Generated\Operations;

/** Whether a failed attempt is tried again, and when. */
final class Retry
{
    private const FIRST_DELAY = 0.5;
    private const LONGEST_DELAY = 8.0;
    /** A server that asks for more patience than this gets it from the caller, who knows what the wait is worth. */
    private const LONGEST_ASKED = 60.0;

    /** Posts that come to the same when done twice. */
    private const REPEATABLE = [
        'POST /emails/validate',
        'POST /emails/validate/batch',
        'POST /suppressions',
        'POST /templates/validate',
        'POST /templates/{id}/preview',
    ];

    public static function takesIdempotencyKey(string $operation): bool
    {
        return isset(Operations::KEYED[$operation]);
    }

    /**
     * How many seconds to wait before the next attempt, or null to give up.
     *
     * @param int $attempt the one that failed, from 1
     * @param float $chance from 0 to 1
     */
    public static function delay(PostriderException $error, string $operation, int $attempt, float $chance): ?float
    {
        $asked = $error->retryAfter ?? 0.0;
        if (!self::isWorthIt($error, $operation, $attempt) || $asked > self::LONGEST_ASKED) {
            return null;
        }
        $limit = min(self::LONGEST_DELAY, self::FIRST_DELAY * 2 ** ($attempt - 1));
        // Half of it by chance, so that clients that failed together do not come back together.
        $jittered = $limit * (0.5 + $chance / 2);
        return $asked > 0 ? $asked + $jittered - $limit / 2 : $jittered;
    }

    /** Reads, and changes that say what shall be, are the same done twice: in this API, all but posts. */
    private static function isRepeatable(string $operation): bool
    {
        return !str_starts_with($operation, 'POST ')
            || in_array($operation, self::REPEATABLE, true)
            || self::takesIdempotencyKey($operation);
    }

    private static function isWorthIt(PostriderException $error, string $operation, int $attempt): bool
    {
        // Turned away before anything was done, whatever it was.
        if ($error->errorCode === 'RATE_LIMITED') {
            return true;
        }
        if (!self::isRepeatable($operation)) {
            return false;
        }
        // Our own earlier attempt is still at work; with a key of somebody else's it would not be ours to wait for.
        if ($error->errorCode === 'IDEMPOTENCY_CONFLICT') {
            return $attempt > 1;
        }
        return in_array($error->status, [0, 500, 502, 503, 504], true);
    }
}
