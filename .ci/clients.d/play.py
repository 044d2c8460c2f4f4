"""Plays a whole game with the generated client: python play.py http://127.0.0.1:8080"""

import random
import sys
from typing import TypeVar

from referee_client import AuthenticatedClient, Client
from referee_client.api.games import create_game, get_game
from referee_client.api.moves import list_legal_moves, make_move
from referee_client.api.records import get_record, judge_record
from referee_client.models import (
    ForeignRecord,
    GameKind,
    Mode,
    MoveRequest,
    NewGame,
    NewSeat,
    Problem,
    ReplayAnswerVerdictLegal,
    Status,
    TurnSeat,
)

Answer = TypeVar("Answer")


def told(answer: Answer | Problem | None) -> Answer:
    if answer is None or isinstance(answer, Problem):
        raise SystemExit(f"refused: {answer}")
    return answer


def play(base_url: str) -> None:
    seats = [NewSeat(name="Anna"), NewSeat(name="Bo")]
    new = NewGame(game=GameKind.SAGOLEKEN, mode=Mode.VIRTUAL, seats=seats)
    game = told(create_game.sync(client=Client(base_url=base_url), body=new))

    def holder(token: object) -> AuthenticatedClient:
        assert isinstance(token, str)
        return AuthenticatedClient(base_url=base_url, token=token)

    players = [holder(seat.token) for seat in game.seats]
    turn, moves = game.turn, 0
    while isinstance(turn, TurnSeat):
        player = players[turn.seat]
        legal = told(list_legal_moves.sync(game.id, client=player))
        request = MoveRequest(move=random.choice(legal.moves).move)
        turn = told(make_move.sync(game.id, client=player, body=request)).turn
        moves += 1

    over = told(get_game.sync(game.id, client=holder(game.host_token)))
    assert over.status == Status.OVER and over.result, over
    refused = make_move.sync(game.id, client=player, body=request)
    assert isinstance(refused, Problem) and refused.code == "illegal_move", refused

    record = told(get_record.sync(game.id, client=holder(game.host_token)))
    # Not its events: a time that was read is written otherwise than it was hashed.
    foreign = ForeignRecord.from_dict({**record.to_dict(), "events": None})
    judged = told(judge_record.sync(client=Client(base_url=base_url), body=foreign))
    assert isinstance(judged, ReplayAnswerVerdictLegal), judged
    print(f"Python: over after {moves} moves")


if __name__ == "__main__":
    play(sys.argv[1])
