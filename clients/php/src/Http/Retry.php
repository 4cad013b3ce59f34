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
    /** If the server asks for a longer pause, the request is not retried: the caller decides. */
    private const LONGEST_ASKED = 60.0;

    /** POST requests that have the same result if they are repeated. */
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
     * Seconds until the next attempt, or null for no further attempt.
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
        // Half of the pause is random, so that clients that failed together do not retry together.
        $jittered = $limit * (0.5 + $chance / 2);
        return $asked > 0 ? $asked + $jittered - $limit / 2 : $jittered;
    }

    /** In this API, all requests except POST are idempotent. */
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
