<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** 5xx: not your fault. */
class ServerException extends PostriderException
{
}
