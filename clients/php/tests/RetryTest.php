<?php

declare(strict_types=1);

namespace Postrider\Tests;

use PHPUnit\Framework\TestCase;
use Postrider\Exception\PostriderException;
use Postrider\Http\Response;
use Postrider\Http\Retry;

final class RetryTest extends TestCase
{
    private static function error(int $status, string $code = 'X', ?float $retryAfter = null): PostriderException
    {
        return new PostriderException('no', $code, $status, retryAfter: $retryAfter);
    }

    public function testOnlyWhatMayBeRepeatedIs(): void
    {
        $failed = self::error(503);
        self::assertNotNull(Retry::delay($failed, 'POST /emails/send', 1, 0.5));
        self::assertNotNull(Retry::delay($failed, 'GET /emails', 1, 0.5));
        self::assertNotNull(Retry::delay($failed, 'DELETE /domains/{id}', 1, 0.5));
        self::assertNull(Retry::delay($failed, 'POST /api-keys', 1, 0.5));
        self::assertNull(Retry::delay(self::error(400), 'GET /emails', 1, 0.5));
        self::assertNotNull(Retry::delay(self::error(429, 'RATE_LIMITED'), 'POST /api-keys', 1, 0.5));
        self::assertNull(Retry::delay(self::error(429, 'LIMIT_EXCEEDED'), 'POST /emails/send', 1, 0.5));
    }

    public function testAConflictIsWaitedForOnlyWhenItIsOurOwn(): void
    {
        $conflict = self::error(409, 'IDEMPOTENCY_CONFLICT');
        self::assertNull(Retry::delay($conflict, 'POST /emails/send', 1, 0.5));
        self::assertNotNull(Retry::delay($conflict, 'POST /emails/send', 2, 0.5));
    }

    public function testPausesGrowAndTheServersWordCounts(): void
    {
        $delays = array_map(static fn (int $n) => Retry::delay(self::error(503), 'GET /emails', $n, 1.0), range(1, 6));
        self::assertSame([0.5, 1.0, 2.0, 4.0, 8.0, 8.0], $delays);
        self::assertSame(3.25, Retry::delay(self::error(503, 'X', 3.0), 'GET /emails', 1, 1.0));
        self::assertNull(Retry::delay(self::error(503, 'X', 61.0), 'GET /emails', 1, 1.0));
    }

    public function testRetryAfterMayBeADate(): void
    {
        $date = gmdate(\DateTimeInterface::RFC7231, time() + 30);
        $failure = (new Response(503, ['retry-after' => $date], ''))->failure();
        self::assertEqualsWithDelta(30, $failure->retryAfter, 3);
        foreach (['soon', 'NAN', '1e999'] as $word) {
            self::assertNull((new Response(503, ['retry-after' => $word], ''))->failure()->retryAfter);
        }
    }

    public function testAnAnswerOfAProxyIsNotTakenForOurs(): void
    {
        foreach (['<html>', '{"error":"x"}', '{"error":{"code":1,"message":[]}}', '[]', 'null'] as $body) {
            $failure = (new Response(502, [], $body))->failure();
            self::assertSame('UNEXPECTED_RESPONSE', $failure->errorCode, $body);
        }
        $this->expectExceptionMessage('not JSON');
        (new Response(200, ['content-type' => 'text/html'], ' <!DOCTYPE html>'))->read();
    }
}
