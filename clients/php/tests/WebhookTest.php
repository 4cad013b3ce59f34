<?php

declare(strict_types=1);

namespace Postrider\Tests;

use PHPUnit\Framework\TestCase;
use Postrider\Webhook;
use Postrider\WebhookVerificationException;

final class WebhookTest extends TestCase
{
    private const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    private const BODY = '{"test": 2432232314}';
    private const NOW = 1614265330;
    /** The one that the Standard Webhooks specification has for an example. */
    private const HEADERS = [
        'webhook-id' => 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp' => '1614265330',
        'webhook-signature' => 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    ];

    /**
     * @param array<string, mixed> $headers
     * @param string|list<string> $secret
     */
    private static function reason(string $body, array $headers, string|array $secret, int $now = self::NOW): string
    {
        try {
            Webhook::verify($body, $headers, $secret, now: $now);
            return 'none';
        } catch (WebhookVerificationException $error) {
            return $error->reason;
        }
    }

    public function testTakesWhatIsSigned(): void
    {
        self::assertSame(['test' => 2432232314], Webhook::verify(self::BODY, self::HEADERS, self::SECRET, now: self::NOW));
    }

    public function testTakesHeadersAsFrameworksHaveThem(): void
    {
        $server = $lists = $shouted = [];
        foreach (self::HEADERS as $name => $value) {
            $server['HTTP_' . strtoupper(str_replace('-', '_', $name))] = $value;
            $lists[$name] = [$value];
            $shouted[ucwords($name, '-')] = $value;
        }
        foreach ([$server, $lists, $shouted] as $headers) {
            self::assertSame('none', self::reason(self::BODY, $headers, self::SECRET));
        }
    }

    public function testAnyByteThatIsChangedIsNoticed(): void
    {
        for ($i = 0; $i < strlen(self::BODY); $i++) {
            $changed = self::BODY;
            $changed[$i] = chr(ord($changed[$i]) ^ 1);
            self::assertSame('wrong_signature', self::reason($changed, self::HEADERS, self::SECRET));
        }
        foreach (['webhook-id' => 'msg_x', 'webhook-timestamp' => '1614265331'] as $name => $value) {
            self::assertSame('wrong_signature', self::reason(self::BODY, [...self::HEADERS, $name => $value], self::SECRET));
        }
    }

    public function testSaysWhatIsWrong(): void
    {
        $with = static fn (string $name, string $value) => [...self::HEADERS, $name => $value];
        self::assertSame('missing_header', self::reason(self::BODY, [], self::SECRET));
        self::assertSame('missing_header', self::reason(self::BODY, $with('webhook-signature', ''), self::SECRET));
        self::assertSame('invalid_timestamp', self::reason(self::BODY, $with('webhook-timestamp', "1614265330\n"), self::SECRET));
        self::assertSame('too_old', self::reason(self::BODY, self::HEADERS, self::SECRET, self::NOW + 301));
        self::assertSame('too_new', self::reason(self::BODY, self::HEADERS, self::SECRET, self::NOW - 301));
        self::assertSame('invalid_secret', self::reason(self::BODY, self::HEADERS, 'whsec_'));
        self::assertSame('wrong_signature', self::reason(self::BODY, self::HEADERS, []));
        self::assertSame('wrong_signature', self::reason(self::BODY, $with('webhook-signature', 'v2,AAAA v1,AAAA'), self::SECRET));
    }

    public function testOneSecretThatFitsIsEnough(): void
    {
        self::assertSame('none', self::reason(self::BODY, self::HEADERS, ['whsec_QUJD', self::SECRET]));
    }
}
