<?php

declare(strict_types=1);

namespace Postrider\Tests;

use PHPUnit\Framework\TestCase;
use Postrider\Exception\NotFoundException;
use Postrider\Exception\ServerException;
use Postrider\Following;

final class FollowingTest extends TestCase
{
    /** @return ?array<string, mixed> */
    private static function tell(Following $following, string $id): ?array
    {
        $following->take("id: $id");
        $following->take('data: {"type":"delivered",');
        $following->take("data: \"recipient\":\"$id@example.org\"}");
        return $following->take('');
    }

    public function testGivesEachEventOnce(): void
    {
        $following = new Following([['id' => 'b'], ['id' => 'a']], null, null);
        self::assertSame(['last-event-id' => 'b'], $following->headers());
        $given = array_map(static fn (string $id) => self::tell($following, $id) !== null, ['a', 'b', 'c', 'c', 'd']);
        self::assertSame([false, false, true, false, true], $given);
        self::assertSame(['last-event-id' => 'd'], $following->headers());
    }

    public function testWhatIsLeftOutStillSaysHowFarWeAre(): void
    {
        $following = new Following([], 'delivered', 'B@EXAMPLE.ORG');
        self::assertNull(self::tell($following, 'a'));
        self::assertNotNull(self::tell($following, 'b'));
        $following->take('id: c');
        $following->take('');
        self::assertSame(['last-event-id' => 'c'], $following->headers());
    }

    public function testAnEventThatWasCutOffIsForgotten(): void
    {
        $following = new Following([], null, null);
        $following->take('id: a');
        $following->take('data: {"broken');
        $following->headers();
        self::assertNotNull(self::tell($following, 'b'));
    }

    public function testPausesGrowWhileNobodyAnswersAndARefusalEndsIt(): void
    {
        $following = new Following([], null, null);
        $down = new ServerException('down', 'UNAVAILABLE', 503);
        for ($i = 0; $i < 10; $i++) {
            $pause = $following->pauseAfter($down);
        }
        self::assertGreaterThanOrEqual(15.0, $pause);
        $following->take(': still here');
        self::assertLessThanOrEqual(1.0, $following->pauseAfter(null));
        $this->expectException(NotFoundException::class);
        $following->pauseAfter(new NotFoundException('gone', 'NOT_FOUND', 404));
    }
}
