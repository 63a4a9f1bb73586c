"""What an expression is: primitive sets, trees and forests, text in and out, evaluation."""
