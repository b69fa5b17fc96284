import sys
sys.path.append("..")

import board

board.SAID, board.TOLD = board.TOLD, board.SAID

board.serve(board.Guest)
