from terziglio import Action, Bid, Bot, Play, SeatView


class TenLines(Bot):
    def act(self, view: SeatView) -> Action:  # a view is what your seat may know
        if view.legal.bids:  # the auction: None is a pass
            return Bid(None)
        if view.legal.cards:  # the cards that you may play, by suit, weakest first
            return Play(max(view.legal.cards, key=lambda card: card.rank))
        return view.legal.first()  # what is left: a call, a discard
