<?php

declare(strict_types=1);

namespace Postrider\Tests;

use PHPUnit\Framework\TestCase;
use Postrider\Http\Request;
use Postrider\Postrider;

final class RequestTest extends TestCase
{
    public function testAnIdCannotLeadToAnotherRoute(): void
    {
        $request = Request::of('GET /emails/{id}', ['id' => '../domains?x=1#y']);
        self::assertSame('/emails/..%2Fdomains%3Fx%3D1%23y', $request->target);
        foreach (['', '.', '..'] as $id) {
            try {
                Request::of('GET /emails/{id}', ['id' => $id]);
                self::fail("took \"$id\"");
            } catch (\InvalidArgumentException $error) {
                self::assertStringContainsString('needs `id`', $error->getMessage());
            }
        }
    }

    public function testQueriesLeaveOutWhatIsNotGiven(): void
    {
        $moment = new \DateTimeImmutable('2026-01-01 02:00:00.5', new \DateTimeZone('+02:00'));
        $query = ['search' => 'a b&c', 'limit' => 5, 'tag' => ['x', 'y'], 'is' => true, 'since' => $moment, 'no' => null];
        self::assertSame(
            '/emails?search=a%20b%26c&limit=5&tag=x&tag=y&is=true&since=2026-01-01T00%3A00%3A00.500Z',
            Request::of('GET /emails', query: $query)->target,
        );
    }

    public function testAnEmptyArrayIsAnObjectWhereTheApiHasOne(): void
    {
        $body = ['template_data' => [], 'tags' => [], 'to' => [['email' => 'a@b.example', 'data' => []]], 'price' => 1.0];
        self::assertSame(
            '{"template_data":{},"tags":[],"to":[{"email":"a@b.example","data":{}}],"price":1.0}',
            Request::of('POST /emails/send', body: $body)->body,
        );
        self::assertSame('{}', Request::of('POST /undos', body: [])->body);
    }

    public function testWhatIsInsideOfTheCallersDataIsLeftAsItIs(): void
    {
        $body = ['template_data' => ['data' => [], 'headers' => []]];
        self::assertSame('{"template_data":{"data":[],"headers":[]}}', Request::of('POST /emails/send', body: $body)->body);
    }

    public function testTextThatIsNotUtf8IsRefusedWithWords(): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('cannot be sent as JSON');
        Request::of('POST /emails/send', body: ['subject' => "\xff"]);
    }

    public function testEverySendHasAKeyOfItsOwn(): void
    {
        $keys = array_map(static fn () => Request::of('POST /emails/send')->headers['idempotency-key'], range(1, 50));
        self::assertCount(50, array_unique($keys));
        self::assertArrayNotHasKey('idempotency-key', Request::of('POST /api-keys')->headers);
    }

    /** @dataProvider wrongSettings */
    public function testWrongSettingsAreRefusedBeforeAnythingIsSent(string $names, string $key, string $url): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage($names);
        new Postrider($key, $url);
    }

    /** @return list<array{string, string, string}> */
    public static function wrongSettings(): array
    {
        return [
            ['apiKey', ' ', 'https://mail.example.org'],
            ['apiKey', "pr_x\r\nx-evil: 1", 'https://mail.example.org'],
            ['baseUrl', 'pr_x', 'mail.example.org'],
            ['baseUrl', 'pr_x', "https://mail.example.org/\r\nx"],
            ['baseUrl', 'pr_x', 'file:///etc/passwd'],
        ];
    }

    public function testKeysAndHeadersCannotBecomeOtherHeaders(): void
    {
        $client = new Postrider('pr_x', 'http://127.0.0.1:1');
        $this->expectException(\InvalidArgumentException::class);
        $client->emails->send(['subject' => 'x'], ['idempotency_key' => "a\r\nauthorization: b"]);
    }
}
